"""Types of ROS 2 as CycloneDDS writes them, and a participant that reads and writes topics.

Annotations are read when a class is made, so they are not put off here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from cyclonedds.core import Policy, Qos
from cyclonedds.domain import Domain, DomainParticipant
from cyclonedds.idl import IdlStruct
from cyclonedds.idl.types import array, int8, int32, sequence, uint8, uint32
from cyclonedds.pub import DataWriter
from cyclonedds.sub import DataReader
from cyclonedds.topic import Topic

CONFIG = """<CycloneDDS><Domain>
<General><Interfaces><NetworkInterface name="lo"/></Interfaces></General>
<Discovery><ParticipantIndex>auto</ParticipantIndex><MaxAutoParticipantIndex>30</MaxAutoParticipantIndex>
<Peers><Peer address="127.0.0.1"/></Peers></Discovery>
</Domain></CycloneDDS>"""
RELIABLE = (Policy.Reliability.Reliable(1_000_000_000), Policy.History.KeepAll)


@dataclass
class UUID(IdlStruct, typename="unique_identifier_msgs::msg::dds_::UUID_"):
    uuid: array[uint8, 16]


@dataclass
class Time(IdlStruct, typename="builtin_interfaces::msg::dds_::Time_"):
    sec: int32
    nanosec: uint32


@dataclass
class GoalInfo(IdlStruct, typename="action_msgs::msg::dds_::GoalInfo_"):
    goal_id: UUID
    stamp: Time


@dataclass
class GoalStatus(IdlStruct, typename="action_msgs::msg::dds_::GoalStatus_"):
    goal_info: GoalInfo
    status: int8


@dataclass
class GoalStatusArray(IdlStruct, typename="action_msgs::msg::dds_::GoalStatusArray_"):
    status_list: sequence[GoalStatus]


@dataclass
class OtherBattery(IdlStruct, typename="sensor_msgs::msg::dds_::BatteryState_"):
    """The message of another version: of fields that it does not have here."""

    volts: int32


@dataclass
class OtherFeedback(IdlStruct, typename="test_msgs::action::dds_::Fibonacci_FeedbackMessage_"):
    """The same of an action."""

    step: int32


class Peer:
    """A participant that is not ROS."""

    def __init__(self, domain: int) -> None:
        self._domain = Domain(domain, CONFIG)
        self._participant = DomainParticipant(domain)

    def read(self, name: str, type_: Any, is_late: bool = False) -> Callable[[], list[Any]]:
        """Read a topic; the function gives all that has come. ``is_late``: what is kept, too."""
        topic = Topic(self._participant, name, type_)
        qos = Qos(*RELIABLE, *((Policy.Durability.TransientLocal,) if is_late else ()))
        reader = DataReader(self._participant, topic, qos=qos)
        found: list[Any] = []

        def take() -> list[Any]:
            found.extend(reader.take(100))
            return found

        return take

    def writer(self, name: str, type_: Any, version: str = "") -> Any:
        """A writer; ``version`` is what ROS tells others of a type: the hash of its definition."""
        more = (Policy.Userdata(f"typehash=RIHS01_{version};".encode()),) if version else ()
        topic = Topic(self._participant, name, type_)
        return DataWriter(self._participant, topic, qos=Qos(*RELIABLE, *more))
