"""Every address: the API, signing in, and the page for all the rest."""

from __future__ import annotations

from django.urls import include, path, re_path
from drf_spectacular.views import SpectacularJSONAPIView

from kb_agent.api import (
    budgets,
    code,
    costs,
    errors,
    evaluation,
    evidence,
    fact_review,
    facts,
    hooks,
    named_views,
    pages,
    people,
    questions,
    recalled,
    repositories,
    running,
    seen,
    segments,
    sharing,
    stream,
    tape_acts,
    tape_reading,
    tape_search,
    tapes,
    topic_list,
    topics,
    turns,
    upkeep,
    vocabulary,
    webhooks,
)

api = [
    path("session", people.SessionApi.as_view(), name="session"),
    path("me", people.MeApi.as_view(), name="me"),
    path("questions", questions.QuestionApi.as_view(), name="questions"),
    path("questions/preview", questions.QuestionPreviewApi.as_view(), name="question-preview"),
    path("topics", topic_list.TopicListApi.as_view(), name="topics"),
    path("topics/totals", topic_list.TopicTotalsApi.as_view(), name="topic-totals"),
    path("topics/finalize", topic_list.TopicsFinalizeApi.as_view(), name="topics-finalize"),
    path("topics/<int:topic_id>/pin", topic_list.TopicPinApi.as_view(), name="topic-pin"),
    path("open-knowledge", topic_list.OpenKnowledgeApi.as_view(), name="open-knowledge"),
    path("open-topics", topic_list.OpenTopicListApi.as_view(), name="open-topics"),
    path(
        "open-topics/<int:topic_id>/finalize",
        topic_list.OpenTopicFinalizeApi.as_view(),
        name="open-topic-finalize",
    ),
    path("topics/<int:topic_id>", topics.TopicApi.as_view(), name="topic"),
    path(
        "topics/<int:topic_id>/finalize", topics.TopicFinalizeApi.as_view(), name="topic-finalize"
    ),
    path("topics/<int:topic_id>/entries", topics.TopicEntriesApi.as_view(), name="topic-entries"),
    path(
        "topics/<int:topic_id>/segments", segments.TopicSegmentsApi.as_view(), name="topic-segments"
    ),
    path("topics/<int:topic_id>/recalled", recalled.RecalledApi.as_view(), name="recalled"),
    path(
        "topics/<int:topic_id>/recalled/<int:recalled_id>/dismiss",
        recalled.RecalledDismissApi.as_view(),
        name="recalled-dismiss",
    ),
    path(
        "topics/<int:topic_id>/recalled/<int:recalled_id>/restore",
        recalled.RecalledRestoreApi.as_view(),
        name="recalled-restore",
    ),
    path("topics/<int:topic_id>/shares", sharing.TopicSharesApi.as_view(), name="topic-shares"),
    path(
        "topics/<int:topic_id>/shares/<int:share_id>",
        sharing.TopicShareApi.as_view(),
        name="topic-share",
    ),
    path("links", sharing.LinkApi.as_view(), name="links"),
    path("people", sharing.PeopleApi.as_view(), name="people"),
    path("people/groups", sharing.OwnGroupsApi.as_view(), name="own-groups"),
    path("references", sharing.ReferencesApi.as_view(), name="references"),
    path("turns/<int:turn_id>", turns.TurnApi.as_view(), name="turn"),
    path("turns/<int:turn_id>/keep", turns.TurnKeepApi.as_view(), name="turn-keep"),
    path("turns/<int:turn_id>/stop", turns.TurnStopApi.as_view(), name="turn-stop"),
    path("turns/<int:turn_id>/saw", seen.TurnSawApi.as_view(), name="turn-saw"),
    path("search", tape_search.TapesSearchApi.as_view(), name="tapes-search"),
    path("tapes", tapes.TapeListApi.as_view(), name="tapes"),
    path("tapes/<int:tape_id>", tapes.TapeApi.as_view(), name="tape"),
    path("tapes/<int:tape_id>/entries", tape_reading.TapeEntriesApi.as_view(), name="tape-entries"),
    path(
        "tapes/<int:tape_id>/entries/<int:seq>/output",
        tape_reading.TapeOutputApi.as_view(),
        name="tape-output",
    ),
    path("tapes/<int:tape_id>/anchors", tape_reading.TapeAnchorsApi.as_view(), name="tape-anchors"),
    path("tapes/<int:tape_id>/search", tape_reading.TapeSearchApi.as_view(), name="tape-search"),
    path("tapes/<int:tape_id>/verify", tapes.TapeVerifyApi.as_view(), name="tape-verify"),
    path("tapes/<int:tape_id>/handoff", tape_acts.TapeHandoffApi.as_view(), name="tape-handoff"),
    path("tapes/<int:tape_id>/reset", tape_acts.TapeResetApi.as_view(), name="tape-reset"),
    path("tapes/<int:tape_id>/marks", tape_acts.TapeMarksApi.as_view(), name="tape-marks"),
    path(
        "tapes/<int:tape_id>/corrections",
        tape_acts.TapeCorrectionsApi.as_view(),
        name="tape-corrections",
    ),
    path("tapes/<int:tape_id>/forks", tape_acts.TapeForksApi.as_view(), name="tape-forks"),
    path(
        "tapes/<int:tape_id>/forks/<int:fork_id>/notes",
        tape_acts.TapeForkNotesApi.as_view(),
        name="tape-fork-notes",
    ),
    path(
        "tapes/<int:tape_id>/forks/<int:fork_id>/merge",
        tape_acts.TapeForkMergeApi.as_view(),
        name="tape-fork-merge",
    ),
    path(
        "tapes/<int:tape_id>/forks/<int:fork_id>/discard",
        tape_acts.TapeForkDiscardApi.as_view(),
        name="tape-fork-discard",
    ),
    path("facts", facts.FactListApi.as_view(), name="facts"),
    path("facts/<int:fact_id>", facts.FactApi.as_view(), name="fact"),
    path("facts/<int:fact_id>/accept", fact_review.FactAcceptApi.as_view(), name="fact-accept"),
    path("facts/<int:fact_id>/edit", fact_review.FactEditApi.as_view(), name="fact-edit"),
    path("facts/<int:fact_id>/reject", fact_review.FactRejectApi.as_view(), name="fact-reject"),
    path(
        "facts/<int:fact_id>/withdraw", fact_review.FactWithdrawApi.as_view(), name="fact-withdraw"
    ),
    path("topics/<int:topic_id>/facts", fact_review.TopicFactsApi.as_view(), name="topic-facts"),
    path("people/<int:person_id>", facts.ContributorApi.as_view(), name="person"),
    path("views", named_views.ViewListApi.as_view(), name="views"),
    path("views/<int:view_id>", named_views.ViewApi.as_view(), name="view"),
    path("views/<int:view_id>/shares", sharing.ViewSharesApi.as_view(), name="view-shares"),
    path(
        "views/<int:view_id>/shares/<int:share_id>",
        sharing.ViewShareApi.as_view(),
        name="view-share",
    ),
    path("evidence", evidence.EvidenceStatesApi.as_view(), name="evidence-states"),
    path("evidence/<int:evidence_id>", evidence.EvidenceApi.as_view(), name="evidence"),
    path(
        "evidence/<int:evidence_id>/outline",
        code.EvidenceOutlineApi.as_view(),
        name="evidence-outline",
    ),
    path(
        "evidence/<int:evidence_id>/blame", code.EvidenceBlameApi.as_view(), name="evidence-blame"
    ),
    path(
        "evidence/<int:evidence_id>/change",
        code.EvidenceChangeApi.as_view(),
        name="evidence-change",
    ),
    path("evidence/<int:evidence_id>/log", code.EvidenceLogApi.as_view(), name="evidence-log"),
    path(
        "evidence/<int:evidence_id>/symbol",
        code.EvidenceSymbolApi.as_view(),
        name="evidence-symbol",
    ),
    path(
        "repositories/<int:repository_id>/lines",
        code.RepositoryLinesApi.as_view(),
        name="repository-lines",
    ),
    path("repositories", upkeep.RepositoryListUpkeepApi.as_view(), name="repositories"),
    path(
        "repositories/<int:repository_id>", upkeep.RepositoryUpkeepApi.as_view(), name="repository"
    ),
    path(
        "repositories/<int:repository_id>/skipped",
        repositories.SkippedApi.as_view(),
        name="repository-skipped",
    ),
    path(
        "repositories/<int:repository_id>/index",
        upkeep.RepositoryIndexApi.as_view(),
        name="repository-index",
    ),
    path(
        "repositories/<int:repository_id>/cancel",
        upkeep.RepositoryCancelApi.as_view(),
        name="repository-cancel",
    ),
    path(
        "repositories/<int:repository_id>/grants",
        upkeep.RepositoryGrantsApi.as_view(),
        name="repository-grants",
    ),
    path(
        "repositories/<int:repository_id>/webhook",
        webhooks.RepositoryWebhookApi.as_view(),
        name="repository-webhook",
    ),
    path("webhooks/<str:provider>/<str:key>", webhooks.WebhookApi.as_view(), name="webhook"),
    path("groups", upkeep.GroupListApi.as_view(), name="groups"),
    path("costs", costs.CostsApi.as_view(), name="costs"),
    path("costs/file", costs.CostsFileApi.as_view(), name="costs-file"),
    path("costs/reprice", budgets.RepriceApi.as_view(), name="costs-reprice"),
    path("budgets", budgets.BudgetListApi.as_view(), name="budgets"),
    path("budgets/<int:budget_id>", budgets.BudgetApi.as_view(), name="budget"),
    path("prices", budgets.PriceListApi.as_view(), name="prices"),
    path("prices/<int:price_id>", budgets.PriceApi.as_view(), name="price"),
    path("vocabulary", vocabulary.VocabularyApi.as_view(), name="vocabulary"),
    path("vocabulary/why", vocabulary.VocabularyWhyApi.as_view(), name="vocabulary-why"),
    path(
        "vocabulary/<int:correction_id>",
        vocabulary.CorrectionApi.as_view(),
        name="vocabulary-correction",
    ),
    path("evaluations", evaluation.EvaluationListApi.as_view(), name="evaluations"),
    path("evaluations/<int:evaluation_id>", evaluation.EvaluationApi.as_view(), name="evaluation"),
    path(
        "evaluations/<int:evaluation_id>/run",
        evaluation.EvaluationRunApi.as_view(),
        name="evaluation-run",
    ),
    path("hooks", hooks.HookListApi.as_view(), name="hooks"),
    path("hooks/<str:path>", hooks.HookApi.as_view(), name="hook"),
    path("stream", stream.StreamApi.as_view(), name="stream"),
    path("health", running.HealthApi.as_view(), name="health"),
    path("ready", running.ReadyApi.as_view(), name="ready"),
    path("schema", SpectacularJSONAPIView.as_view(), name="schema"),
    re_path(r"", errors.not_found),
]

urlpatterns = [
    path("api/", include(api)),
    path("_allauth/", include("allauth.headless.urls")),
    re_path(r"", pages.index),
]

handler400 = "kb_agent.api.errors.bad_request"
handler403 = "kb_agent.api.errors.forbidden"
handler404 = "kb_agent.api.errors.not_found"
handler500 = "kb_agent.api.errors.failed"
