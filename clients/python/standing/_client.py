"""The client, and what takes more than one request."""

from __future__ import annotations

from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Sequence, Union, cast

from . import types
from ._errors import StandingError
from ._operations import Operations
from ._response import unexpected

# The service takes at most so many of anything at once.
BATCH_MAX = 100

Event = Mapping[str, Any]


class Standing(Operations):
    """A client of a Standing trust score service."""

    def each(self, list_method: Callable[..., Any], *args: Any, **query: Any) -> Iterator[Any]:
        """Every item of every page of a list: ``client.each(client.list_agents)``."""
        cursor: Optional[str] = query.pop("cursor", None)
        while True:
            page = list_method(*args, cursor=cursor, **query)
            following = page.get("nextCursor", cursor)
            if not isinstance(page.get("data"), list) or (following and following == cursor):
                raise unexpected(200, "the answer is not the next page of a list")
            yield from page["data"]
            if not following:
                return
            cursor = following

    def report(self, agent_id: str, events: Union[Event, Sequence[Event]]) -> "types.EventBatchAnswer":
        """Reports one event or several, each judged on its own: ``accepted``, ``rejected``, ``errors``, ``data``.

        A platform reports about any agent, an agent about itself alone. They are sent a hundred at a time, in order. If a
        later hundred fails, ``details["partial"]`` of the error is the report so far.
        """
        all_events = [events] if isinstance(events, Mapping) else list(events)
        send = self._report_route(agent_id)
        done: types.EventBatchAnswer = {"accepted": 0, "rejected": 0, "errors": [], "data": []}
        for start in range(0, len(all_events), BATCH_MAX):
            try:
                _add(done, send({"events": all_events[start : start + BATCH_MAX]}), start)
            except StandingError as error:
                if start > 0:
                    error.details["partial"] = done
                raise
        return done

    def _report_route(self, agent_id: str) -> Callable[[Any], Any]:
        if "agent" not in self._credentials or "platform" in self._credentials:
            return lambda body: self.report_events(agent_id, body)
        own = self.get_own_agent()["id"]
        if own != agent_id.lower():
            raise StandingError(
                0,
                "INVALID_CALL",
                f"the key is that of agent {own}, which reports about itself alone: a report about "
                f"{agent_id} takes a platform's key (avp_)",
            )
        return self.report_own_events

    def scores(self, agent_ids: Sequence[str]) -> Dict[str, "types.Score"]:
        """Scores by agent id, for any number of agents. One that does not exist is not in it."""
        found: Dict[str, types.Score] = {}
        ids = list(dict.fromkeys(agent_ids))
        for start in range(0, len(ids), BATCH_MAX):
            answer = self.get_scores({"agentIds": ids[start : start + BATCH_MAX]})
            for score in answer["data"]:
                found[score["agentId"]] = cast("types.Score", score)
        return found


def _add(done: types.EventBatchAnswer, answer: Mapping[str, Any], start: int) -> None:
    """Adds the answer to a batch, whose first event is number ``start`` of the report."""
    if any(name not in answer for name in done):
        raise unexpected(200, "the answer does not say what became of the events")
    done["accepted"] += answer["accepted"]
    done["rejected"] += answer["rejected"]
    done["errors"] += [{**one, "index": one["index"] + start} for one in answer["errors"]]
    done["data"] += answer["data"]
