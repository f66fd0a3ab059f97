"""The generated engine: Python source for the usual ways of a flow; whatever is unusual goes to the walker.

Steps: `compiled_program` makes a function when it is first called: of code that is in `kept`, or else `function_source`
writes it, with `statement_code`, `expression_code`, `fold_code`, `member_code` and `point_code`; `trusted_variables`
and `value_bounds` say which tests can be left out; `compiled_steps` carries a game from point to point by these
functions, `generated_engine` is what others see. What comes often is made quicker in `often`.
"""
