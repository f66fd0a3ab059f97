"""`python -m referee` does what the command `referee` does."""

from referee.cli.start import main

if __name__ == "__main__":
    main()
