"""The kinds that describe the world: domain, scene, agent."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field

from treec.files.bindings import Sensors
from treec.files.fields import (
    Duration,
    EmptyIsMapping,
    Expr,
    Model,
    OrNull,
    Text,
    TypeText,
    Value,
)


class PiecesSpec(Model):
    """What each thing of a type comes apart into: so many things of another type."""

    type: TypeText
    count: int = Field(ge=1, le=100)
    of: str = Field(description="The fact that links a piece with its whole: cut_from.")
    once: str | None = Field(
        None, description="The fact of the whole that says that the pieces exist: sliced."
    )


class TypeSpec(Model):
    """A type of things."""

    is_: str | None = Field(None, alias="is")
    has: dict[str, Value] = Field(
        {}, description="Facts that hold of each thing of the type, and of types below it."
    )
    also: list[str] = Field(
        [],
        description="What people call things of the type together: [ware, goods]. Such words, and "
        "the type's name, are not taken for the name of a thing that is missing.",
    )
    pieces: PiecesSpec | None = Field(
        None,
        description="Things that a thing of the type can be cut into. They are named after it "
        "(`beam piece 1`), and are nowhere until a skill makes them.",
    )


class FactSpec(Model):
    """A fact about things; with `value`, one value each, else true or false."""

    args: list[TypeText]
    value: TypeText | None = None
    about: str | None = None
    says: Text | None = Field(
        None,
        description="How it is said to people, of `value`, `thing` (its first argument) and "
        "`names` (all): '{{ thing }} is at {{ value }} %'.",
    )
    values: list[str] = Field(
        [], description="All texts that a fact with `value: text` can have: [open, shut, locked]"
    )
    sensed: Sensors = Field(
        {},
        description="The sensor of the fact, for each environment: a Python object, or a mapping "
        "where an extension describes the environment's (`ros`).",
    )
    look: list[str] = Field(
        [],
        description="Skills that find out an unknown value, in the order in which they are tried: "
        "go and see, ask the person. They get the fact's arguments.",
    )


class StateSpec(Model):
    """A slot of typed state."""

    type: TypeText
    default: Value = None


class DomainFile(Model):
    """Types, facts and state that files of this domain use."""

    domain: str
    about: str | None = None
    types: dict[str, Annotated[TypeSpec, EmptyIsMapping, OrNull]] = Field(
        {}, description="Kinds of things: Tool: {is: Item}."
    )
    facts: dict[str, FactSpec] = Field({}, description="What can be so of things: at(item).")
    state: dict[str, StateSpec] = Field({}, description="Named values: count: {type: number}.")
    derived: dict[str, Expr] = Field({}, description="Names for expressions of the others.")


class ObjectSpec(Model):
    """An object of a scene: its type, its pose, and its facts by name."""

    model_config = ConfigDict(extra="allow", frozen=True, defer_build=True)

    type: TypeText
    about: str | None = Field(None, description="What it is and where it stands, for prompts.")
    pose: list[float] | None = Field(
        None,
        description="Metres in the scene frame: x, y, z, or with a quaternion w, x, y, z. "
        "Of a thing with a body: the middle of its base.",
    )
    yaw: float = Field(0.0, description="Degrees about the vertical, anticlockwise from above.")
    body: dict[str, Any] | None = Field(
        None,
        description="Its kind and the kind's parameters; or the object that it is a part of, "
        "`of`, and which `part`.",
    )
    also: list[str] = Field([], description="Other names people use for it.")

    @property
    def facts(self) -> dict[str, Any]:
        """The facts set for it, by name."""
        return dict(self.__pydantic_extra__ or {})


class JitterSpec(Model):
    """Maximum displacement and rotation of movable things from their poses."""

    metres: float = Field(0.0, ge=0.0, le=0.5)
    degrees: float = Field(0.0, ge=0.0, le=180.0)


class MotionStart(Model):
    """When a person's motion begins."""

    skill: str | None = Field(
        None, description="With the first order of this skill (default: with the run)."
    )
    after: Duration = Field(0.0, ge=0, description="So long after that.")


def recordings_named(name: str, file: str, known: Iterable[str]) -> list[str]:
    """Return which of the recordings of a file a name may mean; ``known`` are their own names.

    It is that of this name; else the one whose name it is after the file's (``file``, without its
    suffix) and a slash; else each whose name ends with a slash and this name.
    """
    own = list(dict.fromkeys(known))
    for meant in (name, name.removeprefix(f"{file}/")):
        if meant in own:
            return [meant]
    return [it for it in own if it.endswith(f"/{name}")]


class PersonMotion(Model):
    """A person who moves as recorded: a body that cameras see and robots touch."""

    motion: str = Field(
        description="Recordings, .npz, beside this file: `giver`, `receiver` or `positions` "
        "(frames, joints, 3), `lengths`, `joints`; or a file of AMASS (.npz) or CoMaD (.json)."
    )
    recording: int | str = Field(
        0,
        description="Which recording: its number or its name in the file. Of a name with slashes "
        "the last parts are enough, if only one recording has them.",
    )
    person: str | None = Field(
        None, description="In a recording of two: giver or receiver; in one of CoMaD: the name."
    )
    frames: tuple[int, int] | None = Field(
        None, description="The first frame and the one after the last, at 25 Hz (default: all)."
    )
    pose: list[float] = Field(
        [0.0, 0.0, 0.0],
        min_length=3,
        max_length=3,
        description="Where the person stands at first: x, y, z (m).",
    )
    yaw: float = Field(0.0, description="Degrees; where the person faces, or reaches, at first.")
    reach: list[float] | None = Field(
        None,
        min_length=3,
        max_length=3,
        description="Instead of `pose`: where the fingertips are when the hand is farthest from "
        "the body: x, y, z (m).",
    )
    hand: Literal["left", "right"] | None = Field(
        None, description="The hand that `reach` is about (default: the one that reaches farther)."
    )
    speed: float = Field(1.0, gt=0, le=4, description="1: as fast as it was recorded.")
    returns: bool = Field(
        False, description="Whether the motion is played backwards afterwards, to where it began."
    )
    starts: MotionStart = Field(default_factory=dict, validate_default=True)


class SceneFile(Model):
    """Objects and their initial poses and facts."""

    scene: str
    about: str | None = None
    domain: str = Field(description="The domain of its things.")
    bodies: str | list[str] | None = Field(
        None, description="The Python packages that define kinds of bodies, searched in order."
    )
    jitter: JitterSpec | None = Field(
        None,
        description="How far things are moved and turned, drawn by the seed, where somebody asks "
        "for that: in evaluations, and with --jitter.",
    )
    objects: dict[str, ObjectSpec] = Field(description="The things that are there, by name.")
    people: dict[str, PersonMotion] = Field(
        {}, description="Agents who move as recorded, where bodies are simulated."
    )

    @property
    def body_packages(self) -> tuple[str, ...]:
        """The packages that define kinds of bodies."""
        return (self.bodies,) if isinstance(self.bodies, str) else tuple(self.bodies or ())


class SkillLimits(Model):
    """How this agent differs from others in doing a skill."""

    takes: Duration | None = None


class AgentFile(Model):
    """A robot or a person who does tasks."""

    overridable = True
    agent: str
    is_: str = Field(alias="is", description="Robot, Person, or a type of the domain.")
    about: str
    can: list[str] = Field([], description="The tasks it can do.")
    skills: dict[str, Annotated[SkillLimits, EmptyIsMapping, OrNull]] = Field(
        {}, description="The skills it has: go_to: {}."
    )
    starts: dict[str, Value] = Field({}, description="Initial facts about it.")
    body: dict[str, Any] | None = Field(
        None, description="A `robot` with its `pose`, `yaw` and `side`; or a `kind` of thing."
    )
    also: list[str] = Field([], description="Other names people use for it.")
