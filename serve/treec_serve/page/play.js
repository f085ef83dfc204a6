// Plays a recorded run: the moment goes on by the clock, some simulated seconds for a real one.
import {part} from "./parts.js";

const STEP = 100;  // milliseconds between two moments

// `now` gives the time that is shown and the last one; `go(t)` shows a time and settles when it is drawn.
export class Player {
  constructor(now, go) {
    this.now = now;
    this.go = go;
    this.timer = null;
    part("play").addEventListener("click", () => this.timer === null ? this.start() : this.stop());
  }

  start() {
    const {t, end} = this.now();
    this.t = t >= end ? 0 : t;
    this.last = performance.now();
    this.timer = setTimeout(() => this.step(), STEP);
    this.draw();
  }

  async step() {
    const real = performance.now(), end = this.now().end, speed = Number(part("speed").value);
    this.t = Math.min(this.t + (real - this.last) / 1000 * speed, end);
    this.last = real;
    try {
      await this.go(this.t);
    } catch {  // it was told already
      this.stop();
    }
    if (this.timer === null) return;
    if (this.t >= end) this.stop();
    else this.timer = setTimeout(() => this.step(), STEP);
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = null;
    this.draw();
  }

  draw() {
    const plays = this.timer !== null;
    part("play").textContent = plays ? "⏸" : "▶";
    part("play").setAttribute("aria-label", plays ? "Pause playing" : "Play");
  }
}
