"""Python source made from a flow: slots and numbers only, no text of a ruleset."""
