"""Reports: verdicts and diagnostics as text, JSON, SARIF and JUnit."""
