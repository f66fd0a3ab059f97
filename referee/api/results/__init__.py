"""What the library answers: immutable objects with the fields of the JSON reports, made of their plain data."""
