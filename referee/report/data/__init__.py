"""Results as plain data: JSON with its schemas, SARIF, JUnit."""
