"""Split an utterance into clauses at breaks, conjunctions, verbs and subjects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from treec.skills.kitchen.hearing.chunks import FLOATS, Chunk
from treec.skills.kitchen.hearing.clause_openers import MODALS, split_openers, verbal
from treec.skills.kitchen.hearing.clauses import SUBORDINATE, Clause, saying
from treec.skills.kitchen.hearing.conjunctions import SUBJECTS, alike, gives_reason, tells, whole
from treec.skills.kitchen.hearing.reasons import bids_anew, remarks
from treec.skills.kitchen.hearing.words import word_set

_ENDS = ".!?;"
_JOINTS = word_set(
    "and but or plus because since though although while when if unless until before after whereas"
)
_WISHED = word_set(
    "nice good great lovely better help helpful appreciate grateful happy glad "
    "mind best wonderful kind "
    "quicker faster easier simpler fantastic perfect delighted super cool safer"
)
_ASIDES = word_set("ugh lol haha phew wow btw bro mate lads cheers yikes ouch oops oh hmm omg")
_WH = ("what", "where", "who", "how", "which", "why", "when", "not", "I", "WE")
_INSTEAD = (("instead", "of"), ("rather", "than"))
_TIMES = ("when", "after", "before", "while", "until", "if")


def clauses(chunks: Sequence[Chunk]) -> list[Clause]:
    """The clauses of an utterance, in order."""
    result: list[Clause] = []
    for piece in _pieces(chunks):
        for clause in _split(piece):
            result += split_openers(clause)
    found = [saying(clause) for clause in result if clause.chunks]
    for index in range(len(found) - 1, 0, -1):
        last, before = found[index], found[index - 1]
        names = all(c.kind in ("A", "ALL", "OTHERS", "PLEASE") for c in last.chunks)
        if last.asks and names and before.sentence == last.sentence:
            found[index - 1] = replace(before, asks=True)  # "are we nearly there, lads?"
    return found


def _pieces(chunks: Sequence[Chunk]) -> Iterator[Clause]:
    """Split at breaks; a question mark marks the last piece of its sentence as the question."""
    sentence = 0
    has_words = False
    joint = ""
    piece: list[Chunk] = []
    for chunk in chunks:
        if chunk.kind != "BRK":
            piece.append(chunk)
            continue
        if piece:
            has_words = True
            yield Clause(tuple(piece), joint, sentence, asks=chunk.key == "?")
            piece = []
            joint = chunk.key
        elif joint in ("", ","):
            joint = chunk.key
        if chunk.key in _ENDS:
            sentence += has_words  # "what??" ends one sentence
            has_words = False
            joint = "."
    if piece:
        yield Clause(tuple(piece), joint, sentence)


def _split(piece: Clause) -> Iterator[Clause]:
    """Split at conjunctions, and where a new subject begins without one."""
    current: list[Chunk] = []
    joint = piece.joint
    chunks = piece.chunks
    asks = piece.asks
    out: list[tuple[list[Chunk], str]] = []
    index = 0
    while index < len(chunks):
        chunk = chunks[index]
        behind = chunks[index + 1] if index + 1 < len(chunks) else None
        if chunk.kind == "when" and _asks_when(chunks[index + 1 :], current):
            if current:
                out.append((current, joint))
            joint, current = "" if current else joint, [chunk]
        elif chunk.kind == "as" and gives_reason(chunks, index):
            if current:
                out.append((current, joint))
            joint, current = "because", []
        elif chunk.kind in _JOINTS and not _inner(chunk, current, behind, chunks):
            if current or joint in (",", "", ".", ":", "—", "but", "and"):
                if current:
                    out.append((current, joint))
                joint, current = chunk.kind, []
        elif (
            chunk.key == "once"
            and behind is not None
            and behind.kind in (*SUBJECTS, "O", "IT", "DONE", "ORD")
        ):
            if current:
                out.append((current, joint))
            joint, current = "when", []
        elif (
            current
            and joint in _TIMES
            and (
                _main(chunk, current)
                or (
                    chunk.kind in ("YOU", "A")
                    and current[-1].kind in ("O", "IT")
                    and not verbal(current)
                    and behind is not None
                )
            )
        ):
            out.append((current, joint))
            joint, current = "", [chunk]
        elif (
            chunk.key == "so"
            and len(current) > 1
            and behind is not None
            and behind.kind not in ("ADJ", "W", "DONE")
            and current[-1].key not in ("do", "think", "hope", "say", "did", "is")
        ):
            out.append((current, joint))
            joint, current = "so", []
        elif (
            chunk.key == "then"
            and behind is not None
            and current
            and (
                _opens(behind, chunks, index + 1)
                or (behind.key == "go" and verbal(current))
                or (behind.kind == "O" and _orders(current))
            )
        ):
            out.append((current, joint))
            joint, current = "then", []
        elif (
            chunk.key == "also"
            and behind is not None
            and whole(current)
            and (_opens(behind, chunks, index + 1) or tells(chunks[index + 1 :]))
        ):
            out.append((current, joint))
            joint, current = "and", []
        elif behind is not None and (chunk.key, behind.kind) in _INSTEAD:
            out.append((current, joint))
            joint, current = "instead", []
            index += 1
        elif current and (
            (joint in ("instead", "before", "after") and _resumes(chunk, current))
            or _runs_on(chunk, current, behind, chunks, index)
        ):
            out.append((current, joint))
            joint, current = "", [chunk]
        else:
            current.append(chunk)
        index += 1
    if current:
        out.append((current, joint))
    for number, (part, word) in enumerate(out):
        if (
            len(part) > 3
            and part[-1].kind == "YOU"
            and part[-2].kind in ("would", "will", "can", "could")
        ):
            part = part[:-2]  # "hand me the ladle would you"
        if part:
            yield replace(
                piece, chunks=tuple(part), joint=word, asks=asks and number == len(out) - 1
            )


def _resumes(chunk: Chunk, before: Sequence[Chunk]) -> bool:
    """ "Instead of the stock get the cream": the main clause behind the alternative."""
    kinds = ("O", "A", "R", "ORD", "DET", "W", *FLOATS)
    is_set_aside = all(c.kind in kinds or c.verb for c in before) and len(before) < 4
    begins = chunk.kind in ("I", "WE", "let's", "can", "could", "would", "YOU") or (
        chunk.kind == "V" and any(f == "base" for _, f in (*chunk.verb, *chunk.classes))
    )
    return is_set_aside and begins


def _asks_when(behind: Sequence[Chunk], before: Sequence[Chunk]) -> bool:
    """ "When is it coming": a question, not a temporal clause."""
    return (
        len(behind) > 1
        and behind[0].kind in ("is", "are", "do", "does", "will", "can", "should", "was", "did")
        and behind[1].kind in (*SUBJECTS, "O", "IT", "DET", "R", "there")
        and not any(c.key in ("know", "tell", "remind") for c in before)
    )


def _orders(before: Sequence[Chunk]) -> bool:
    """Whether something is requested: by a verb, or by an initial noun phrase."""
    return verbal(before) or any(c.kind == "FIRST" for c in before)


def _main(chunk: Chunk, before: Sequence[Chunk]) -> bool:
    """ "When you have the cream bring the salt": an imperative behind a temporal clause."""
    last = before[-1]
    is_causative = chunk.key in ("send", "let", "have", "ask", "tell") and len(before) > 1
    if not is_causative and (
        not any(form == "base" for _, form in chunk.verb) or chunk.kind != "V"
    ):
        return False
    is_complete = any(c.kind in ("V", "DONE", "have", "is", "are", "has", "W") for c in before)
    return is_complete and last.kind in (
        "O",
        "IT",
        "DONE",
        "FLOAT",
        "PLEASE",
        "W",
        "ORD",
        "there",
        "here",
    )


def _inner(
    joint: Chunk, before: Sequence[Chunk], behind: Chunk | None, chunks: Sequence[Chunk]
) -> bool:
    """Whether a conjunction joins words within a clause."""
    if joint.kind == "if" and any(c.key in _WISHED for c in before):
        return True
    ends = behind is not None and behind is chunks[-1]
    if joint.kind == "and" and alike(before, behind, chunks):
        return True  # "the rice is soft and fluffy"
    if joint.kind == "and" and ends and before and behind is not None:
        pair = {before[-1].kind, behind.kind} == {"I", "A"}
        if pair:
            return True  # "swap me and R1"
    if joint.kind == "and" and before:
        last = before[-1].key
        return (
            behind is not None
            and behind.kind == "V"
            and (
                last in ("go", "come", "try", "run", "hurry")
                or (last == "go ahead" and before[0].kind == "A")
            )
        )
    if joint.kind == "after" and behind is not None and behind.kind == "V" and not before:
        return any(form == "base" for _, form in behind.verb)  # "and after bring the pepper"
    if joint.kind in ("before", "after", "since", "while"):
        return behind is None
    return False


def _opens(chunk: Chunk, chunks: Sequence[Chunk], index: int) -> bool:
    """Whether an imperative or statement may begin with this chunk."""
    return chunk.kind in (*SUBJECTS, "V", "do", "let's") or chunk.kind in MODALS


def _runs_on(
    chunk: Chunk, before: Sequence[Chunk], behind: Chunk | None, chunks: Sequence[Chunk], index: int
) -> bool:
    """Whether a new clause begins here without a conjunction."""
    last = before[-1]
    if last.key == "way" and chunk.kind in SUBJECTS:
        return False  # "the way the arm pours"
    if remarks(chunk, chunks, index, before):
        return True
    if chunk.key in _ASIDES and chunk.kind == "W":
        return True
    if len(before) == 1 and last.key in _ASIDES and last.kind == "W":
        return True
    if chunk.kind in ("can", "could", "would") and behind is not None and len(before) > 2:
        asking = behind.kind in ("YOU", "SOMEONE", "A") and len(chunks) > index + 3
        plain = not any(c.kind in _WH or c.key in ("if", "think", "that") for c in before)
        if asking and plain and verbal(before):  # "it won't stop can somebody pass the salt"
            return True
    if (last.of("STOP") or last.of("WAIT")) and chunk.of("STOP"):
        return True
    if chunk.of("STOP", "base") and last.kind == "A" and before[0].of("STOP", "base"):
        return True  # "stop R2 stop R1"
    if last.kind == "PLEASE" and chunk.kind in ("I", "WE") and behind is not None:
        return verbal(before)
    if bids_anew(chunk, before, behind):
        return True
    if (
        chunk.kind == "no"
        and behind is not None
        and (behind.of("WAIT") or behind.key in ("sorry", "actually"))
    ):
        return True
    if chunk.of("WAIT") and behind is not None and behind.kind == "no":
        return True
    if (
        (chunk.kind == "no" or chunk.key == "yes")
        and behind is not None
        and last.kind in ("O", "A", "ORD")
    ) and (behind.kind in ("O", "A", "ORD") or any(form == "ing" for _, form in behind.verb)):
        return any(c.key in ("yes", "no", "ok") for c in before)
    if chunk.kind == "not":
        core = [c for c in before if c.kind not in FLOATS]
        if behind is not None and behind.key == "me" and behind is chunks[-1]:
            return verbal(core)  # "R1 should chop the onions not me"
        return (
            behind is not None
            and behind.kind in ("A", "O", "ORD")
            and last.kind in ("O", "A", "ORD", "IT")
            and len(core) > 1
        )
    if chunk.ref in ("rest", "other", "both", "all") and (
        last.kind in ("O", "DONE") or last.of("GO") or last.of("WAIT")
    ):
        verb = behind is not None and behind.kind in (
            "is", "are", "can", "may", "sounds", "W", "should", "must", "could", "will",
        )  # fmt: skip
        return verb and verbal(before)
    finished = any(f == "past" for _, f in last.verb)
    asking = chunk.kind in ("what", "where", "who", "how", "when", "why")
    if asking and (finished or last.kind in ("DONE", "O", "FLOAT", "PLEASE", "IT", "in")):
        if chunk.kind == "how" and behind is not None and behind.key in ("long", "much", "far"):
            return verbal(before)
        return behind is not None and behind.kind in (
            "is",
            "are",
            "do",
            "should",
            "does",
            "can",
            "will",
            "A",
        )
    if (
        (
            chunk.kind in ("I", "WE")
            and behind is not None
            and behind.kind in MODALS
            and len(before) > 1
        )
        and last.kind in ("O", "FLOAT")
        and any(c.kind in ("no", "not") for c in before[:1])
    ):
        return True
    if chunk.kind in ("I", "A") and behind is not None and len(before) > 1 and last.verb:
        base = any(f == "base" for _, f in last.verb) and any(
            f in ("base", "s") for _, f in behind.verb
        )
        if base and before[-2].kind in ("YOU", "A", "I"):
            return True  # "you fetch I wash"
    stops = last.of("STOP") or last.of("WAIT") or last.of("GO")
    if (
        stops
        and chunk.kind in ("DET", "O", "OTHERS")
        and all(c.of("STOP") or c.of("WAIT") for c in before)
    ):
        return any(c.kind in ("is", "are", "'s") for c in chunks[index + 1 : index + 5])
    if stops and chunk.kind in (*SUBJECTS, "IT", "there", "OTHERS") and behind is not None:
        plain = behind.kind in MODALS or any(f in ("past", "s") for _, f in behind.classes)
        return plain or (chunk.kind in ("I", "there") and behind.kind in ("W", "V", "FLOAT", "is"))
    if chunk.key in ("it", "they", "he", "she") and behind is not None and len(before) > 1:
        has_copula = (
            behind.kind in ("is", "are", "has", "will", "does", "was") or behind.kind == "FLOAT"
        )
        subject = [c.kind for c in before if c.kind not in (*FLOATS, "W", "no")][:1]
        subject = subject if before[0].key in ("yes", "no", "ok", "sure") else [before[0].kind]
        if has_copula and last.kind in ("O", "W", "DONE") and subject[:1] in (["V"], ["A"], ["O"]):
            return verbal(before)  # "get me a towel it's splashing everywhere"
    is_location = (
        last.kind in ("there", "here") and len(before) > 2 and before[-2].kind in ("O", "IT")
    )
    if not is_location and last.kind not in (
        "O", "IT", "ORD", "DONE", "FLOAT", "PLEASE", "A", "W", "yes", "no",
    ):  # fmt: skip
        return False
    if chunk.key == "let's":
        return any(c.kind in ("V", "DONE", "no", "not") or c.key == "yes" for c in before)
    if chunk.kind not in SUBJECTS or behind is None or (last.kind in ("A",) and chunk.kind == "A"):
        return False
    if before[0].kind in SUBORDINATE or before[0].kind in (
        "what",
        "who",
        "where",
        "why",
        "how",
        "which",
    ):
        return False
    if last.kind in ("FLOAT", "PLEASE") and len([c for c in before if c.kind not in FLOATS]) == 0:
        return False
    has_order = any(
        c.kind in ("V", "DONE", "do", "is", "are", "can") or c.key in ("swap", "switch")
        for c in before
    )
    if not has_order or (
        last.kind == "W"
        and last.key in ("mind", "sure", "hope", "know", "think", "said", "thought")
    ):
        return False
    auxiliary = behind.kind in MODALS or behind.key in (
        "need",
        "needs",
        "want",
        "have",
        "has",
        "'s",
    )
    if chunk.kind == "A":
        return auxiliary or (behind.kind == "V" and any(f == "s" for _, f in behind.verb))
    return auxiliary and not (
        last.kind in ("O", "IT") and chunk.kind == "YOU" and behind.key == "have"
    )
