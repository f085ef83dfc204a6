"""Recording a film while a run goes on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec_sapien.view.film import EVERY, FilmRecorder
from treec_sapien.view.run_film import FILE
from treec_sapien.view.scene import SceneView

if TYPE_CHECKING:
    from treec_sapien.environment import SapienKitchen


class FilmCrew:
    """Records the poses of things at intervals and at events of a run."""

    def __init__(self, watched: SceneView, recorder: FilmRecorder) -> None:
        self._watched = watched
        self._recorder = recorder

    def look(self, now: float, *, event: bool = False) -> None:
        """Record a frame if it is time, or if something began or ended (``event``)."""
        if event or self._recorder.due(now):
            self._recorder.keep(now, self._watched.poses())

    def close(self) -> None:
        """End the film."""
        self._recorder.close()


def film_crew(kitchen: SapienKitchen) -> FilmCrew | None:
    """Return what films a run; None if no film is wanted."""
    setup = kitchen.setup
    every = EVERY if setup.film is None else setup.film
    if setup.folder is None or every <= 0:
        return None
    watched = SceneView(kitchen)
    recording = FilmCrew(
        watched, FilmRecorder(setup.folder / FILE, watched.stage, every, kitchen.now)
    )
    recording.look(kitchen.now, event=True)
    return recording
