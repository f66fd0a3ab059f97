"""The JSON Schemas that are published, by name, and as text."""

from __future__ import annotations

import json

from referee.comparison.correspondence_schema import CORRESPONDENCE_SCHEMA
from referee.convert.mapping_schema import MAPPING_SCHEMA
from referee.game.log.log_schema import LOG_SCHEMA
from referee.report.data.comparison_data import COMPARISON_SCHEMA
from referee.report.data.count_data import COUNT_SCHEMA, POSITIONS_SCHEMA
from referee.report.data.explanation_data import EXPLANATION_SCHEMA
from referee.report.data.finding_schema import REVIEW_SCHEMA
from referee.report.data.inference_schema import INFERENCE_SCHEMA
from referee.report.data.page_schema import PAGE_SCHEMA
from referee.report.data.proof_schema import PROOFS_SCHEMA
from referee.report.data.scene_schema import SCENE_SCHEMA
from referee.report.data.tally_data import SUMMARY_SCHEMA
from referee.report.data.verdict_schema import REPORT_SCHEMA
from referee.report.followed_report import FOLLOWED_SCHEMA
from referee.report.ledger.manifest import MANIFEST_SCHEMA

SCHEMAS = {
    "comparison": COMPARISON_SCHEMA, "correspondence": CORRESPONDENCE_SCHEMA, "count": COUNT_SCHEMA,
    "explanation": EXPLANATION_SCHEMA, "followed": FOLLOWED_SCHEMA,
    "inference": INFERENCE_SCHEMA, "ledger": MANIFEST_SCHEMA, "log": LOG_SCHEMA, "mapping": MAPPING_SCHEMA,
    "page": PAGE_SCHEMA, "positions": POSITIONS_SCHEMA, "proofs": PROOFS_SCHEMA,
    "report": REPORT_SCHEMA, "review": REVIEW_SCHEMA, "scene": SCENE_SCHEMA, "summary": SUMMARY_SCHEMA,
}
"""name -> schema; `spec/NAME.schema.json` holds the same."""


def schema_text(name: str) -> str:
    """A schema as text, as it stands in `spec/`; `KeyError` for an unknown name."""
    return json.dumps(SCHEMAS[name], indent=2) + "\n"
