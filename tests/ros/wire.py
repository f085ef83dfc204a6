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
class FibonacciGoal(IdlStruct, typename="test_msgs::action::dds_::Fibonacci_Goal_"):
    order: int32


@dataclass
class SendGoal(IdlStruct, typename="test_msgs::action::dds_::Fibonacci_SendGoal_Request_"):
    goal_id: UUID
    goal: FibonacciGoal


@dataclass
class CancelGoal(IdlStruct, typename="action_msgs::srv::dds_::CancelGoal_Request_"):
    goal_info: GoalInfo


@dataclass
class SendGoalReply(IdlStruct, typename="test_msgs::action::dds_::Fibonacci_SendGoal_Response_"):
    accepted: bool
    stamp: Time


@dataclass
class CancelGoalReply(IdlStruct, typename="action_msgs::srv::dds_::CancelGoal_Response_"):
    return_code: int8
    goals_canceling: sequence[GoalInfo]


@dataclass
class FibonacciFeedback(IdlStruct, typename="test_msgs::action::dds_::Fibonacci_Feedback_"):
    sequence: sequence[int32]


@dataclass
class FeedbackMessage(IdlStruct, typename="test_msgs::action::dds_::Fibonacci_FeedbackMessage_"):
    goal_id: UUID
    feedback: FibonacciFeedback


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
        self._silent: list[Any] = []

    def read(self, name: str, type_: Any, is_late: bool = False) -> Callable[[], list[Any]]:
        """Read a topic; the function gives all that has come. ``is_late``: what is kept, too."""
        topic = Topic(self._participant, name, type_)
        qos = Qos(*RELIABLE, *((Policy.Durability.TransientLocal,) if is_late else ()))
        reader = DataReader(self._participant, topic, qos=qos)
        found: list[Any] = []

        def take() -> list[Any]:
            samples = reader.take(100)  # those that tell of the end of a writer have no data
            found.extend(sample for sample in samples if isinstance(sample, type_))
            return found

        return take

    def overhear(self, service: str, request: Any, reply: Any) -> Callable[[], list[Any]]:
        """Read what is asked of a service. The writer that never writes makes up for the reader.

        Fast DDS takes a service for there only if as many read requests as write replies.
        """
        self._silent.append(self.writer(f"rr{service}Reply", reply))
        return self.read(f"rq{service}Request", request)

    def writer(self, name: str, type_: Any, version: str = "") -> Any:
        """A writer; ``version`` is what ROS tells others of a type: the hash of its definition."""
        more = (Policy.Userdata(f"typehash=RIHS01_{version};".encode()),) if version else ()
        topic = Topic(self._participant, name, type_)
        return DataWriter(self._participant, topic, qos=Qos(*RELIABLE, *more))
