"""Sources, spans and diagnostics: what every other room stands on."""
