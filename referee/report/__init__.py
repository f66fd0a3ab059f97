"""What people and programs read: verdicts, diagnostics and outlines as text, JSON, SARIF and JUnit."""
