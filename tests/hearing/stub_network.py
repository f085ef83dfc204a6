"""A network whose scores a test gives, and ears with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from experiments.hearing.phrases import Act, meaning
from tests.hearing.moments import ACTS, DOMAINS, everyday, moment
from treec.team.talk import TalkContext, TalkProposal, TalkSubtask
from treec_hearing.candidates import Candidate, CandidateScore
from treec_hearing.ear import Ear
from treec_hearing.heard import SCORED_KINDS
from treec_hearing.network import EncodedWords, Network

Given = float | tuple[float, float, int]
"""How likely an act is; or that, how likely it comes first, and the word that it rests on."""


class StubNetwork(Network):
    """Scores acts as a test says; all others are impossible. `asked` counts the utterances."""

    def __init__(self, likely: Mapping[Act, Given] | None = None) -> None:
        super().__init__({}, {"words": [], "signs": []})
        self.kinds = SCORED_KINDS
        self.likely = likely or {}
        self.asked = 0

    def scores(self, encoded: EncodedWords, found: Sequence[Candidate]) -> list[CandidateScore]:
        self.asked += 1
        scores: list[CandidateScore] = []
        for act in map(act_of, found):
            given = self.likely.get(act, 0.0)
            scores.append(
                CandidateScore(*given)
                if isinstance(given, tuple)
                else CandidateScore(given, 0.0, 0)
            )
        return scores


def act_of(candidate: Candidate) -> Act:
    """A candidate as labelled phrases say it."""
    (act,) = meaning([{**candidate.fields, "kind": candidate.kind}])
    return act


def everyday_with(network: Network) -> Ear:
    """The shared templates with a network."""
    return Ear(ACTS, {}, everyday().language.file, network)


def two_proposals(domain: str = "garden") -> TalkContext:
    """The moment of a domain with a second proposal, p2, to the person."""
    _, _, _, other, second = DOMAINS[domain]
    words = f"{other} {second}"
    now = moment(domain)
    return replace(
        now,
        proposals=(*now.proposals, TalkProposal("p2", "user", "s4", words)),
        subtasks=(*now.subtasks, TalkSubtask("s4", words, "ready")),
    )
