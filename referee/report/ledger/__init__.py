"""Verdicts on many logs kept in a folder: part files and a manifest, written so that whoever is killed can go on.

In order: `run_key` says what a run hangs on, `input_stamps` what it reads, `manifest` holds both and what is done,
`folder_lock` keeps others out, `verdict_folder` puts it together, `parquet_file` makes one table of all parts.
"""
