"""Who comes to know more of an event after it has happened: `custody` follows where its components go, step by step."""
