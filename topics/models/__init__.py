"""The rows of topics, a module a concern; Django finds them here."""

from __future__ import annotations

from topics.models.cost_sums import (
    CostCodeDay,
    CostCodeModelDay,
    CostCodePayerDay,
    CostDay,
    CostModelDay,
    CostMonth,
    CostPayerDay,
    CostRepositoryDay,
    CostTopicDay,
    TopicCodeDay,
    TopicUseDay,
)
from topics.models.facts import Fact, FactPlace, FactSource, FactStatus, FactUse, FactVersion
from topics.models.finding import TopicIndexing, TopicPin, TopicTerm, TopicWords
from topics.models.hooks import HookRun, HookStatus, HookSwitch, PreHookRun
from topics.models.ledger import Call, CallStatus, TopicCost
from topics.models.named_views import NamedView
from topics.models.recall import RecallSpace, RecallVector, Recollection
from topics.models.shares import Share, ShareKind, ShareVisit
from topics.models.topics import (
    LANGUAGES,
    UNFINISHED,
    FinalizeReason,
    Topic,
    TopicStatus,
    Turn,
    TurnStatus,
)

__all__ = [
    "LANGUAGES",
    "UNFINISHED",
    "Call",
    "CallStatus",
    "CostCodeDay",
    "CostCodeModelDay",
    "CostCodePayerDay",
    "CostDay",
    "CostModelDay",
    "CostMonth",
    "CostPayerDay",
    "CostRepositoryDay",
    "CostTopicDay",
    "Fact",
    "FactPlace",
    "FactSource",
    "FactStatus",
    "FactUse",
    "FactVersion",
    "FinalizeReason",
    "HookRun",
    "HookStatus",
    "HookSwitch",
    "NamedView",
    "PreHookRun",
    "RecallSpace",
    "RecallVector",
    "Recollection",
    "Share",
    "ShareKind",
    "ShareVisit",
    "Topic",
    "TopicCodeDay",
    "TopicCost",
    "TopicIndexing",
    "TopicPin",
    "TopicStatus",
    "TopicTerm",
    "TopicUseDay",
    "TopicWords",
    "Turn",
    "TurnStatus",
]
