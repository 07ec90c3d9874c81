"""The rows of code, its index and what is known of it, a module a concern; Django finds them here."""

from __future__ import annotations

from kb_agent.repositories.models.evaluation import (
    Evaluation,
    EvaluationOutcome,
    EvaluationQuestion,
    EvaluationRun,
)
from kb_agent.repositories.models.evidence import Evidence
from kb_agent.repositories.models.index import Blob, Chunk, File, Scope, Skipped, Symbol, Term
from kb_agent.repositories.models.repositories import Branch, Credential, Grant, Repository
from kb_agent.repositories.models.runs import IndexRun
from kb_agent.repositories.models.vectors import Space, Vector
from kb_agent.repositories.models.vocabulary import Correction, Vocabulary
from kb_agent.repositories.models.webhooks import Delivery, Webhook

__all__ = [
    "Blob",
    "Branch",
    "Chunk",
    "Correction",
    "Credential",
    "Delivery",
    "Evaluation",
    "EvaluationOutcome",
    "EvaluationQuestion",
    "EvaluationRun",
    "Evidence",
    "File",
    "Grant",
    "IndexRun",
    "Repository",
    "Scope",
    "Skipped",
    "Space",
    "Symbol",
    "Term",
    "Vector",
    "Vocabulary",
    "Webhook",
]
