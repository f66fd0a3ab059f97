"""What an editor is offered at a place or for a text, a module for each kind of offer; `all_features` has them all."""
