// Push-to-talk: the microphone while a button is held, and the words that the server recognizes.
import {make, order} from "./parts.js";

const RATE = 16000, LONGEST = 15000, EVERY = 700;

// Shows the button where runs can be spoken to. `heard` takes {text, sure} at the end, `hearing` the
// words so far, `told` what is wrong.
export class Ear {
  constructor(form, heard, hearing, told) {
    this.heard = heard;
    this.hearing = hearing;
    this.told = told;
    this.recorder = null;
    this.held = false;
    this.button = make("button", "Talk");
    this.button.type = "button";
    this.button.title = "Hold it while you speak";
    this.button.hidden = true;
    form.append(this.button);
    this.button.addEventListener("pointerdown", () => this.begin());
    for (const kind of ["pointerup", "pointerleave", "keyup", "blur"]) {
      this.button.addEventListener(kind, () => this.end());
    }
    this.button.addEventListener("keydown", event => {
      if (event.key !== " " && event.key !== "Enter") return;
      event.preventDefault();
      if (!event.repeat) this.begin();
    });
  }

  show(run, hears) {
    this.run = run;
    this.button.hidden = !hears || !navigator.mediaDevices;
  }

  async begin() {
    if (this.held || this.recorder) return;
    this.held = true;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({audio: true});
      this.recorder = new MediaRecorder(stream);
      const parts = [];
      let asks = false;
      this.recorder.addEventListener("dataavailable", async event => {
        parts.push(event.data);
        if (asks || !this.held) return;
        asks = true;
        const {text} = await this.words(parts).catch(() => ({}));  // the end tells what is wrong
        asks = false;
        if (text && this.held) this.hearing(text);
      });
      this.recorder.addEventListener("stop", () => {
        stream.getTracks().forEach(track => track.stop());
        this.recorder = null;
        this.send(parts).catch(this.told);
      });
      this.recorder.start(EVERY);
      setTimeout(() => this.end(), LONGEST);
      this.button.textContent = "Listening";
      if (!this.held) this.end();  // it was let go before the microphone was there
    } catch (error) {
      this.held = false;
      this.told(new Error(`No microphone: ${error.message}. Please type.`));
    }
  }

  end() {
    this.held = false;
    if (this.recorder && this.recorder.state === "recording") this.recorder.stop();
  }

  async send(parts) {
    try {
      this.button.textContent = "…";
      this.heard(await this.words(parts));
    } finally {
      this.button.textContent = "Talk";
    }
  }

  async words(parts) {
    return order("hear", {run: this.run, sound: await samples(new Blob(parts))});
  }
}

// A recording as base64 of 16-bit samples at 16 kHz.
async function samples(recording) {
  const context = new AudioContext();
  const decoded = await context.decodeAudioData(await recording.arrayBuffer()).catch(() => null);
  await context.close();
  if (!decoded) throw new Error("Nothing was heard: hold the button while you speak.");
  const offline = new OfflineAudioContext(1, Math.ceil(decoded.duration * RATE), RATE);
  const source = offline.createBufferSource();
  source.buffer = decoded;
  source.connect(offline.destination);
  source.start();
  const sound = (await offline.startRendering()).getChannelData(0);
  const words = Int16Array.from(sound, it => Math.max(-1, Math.min(1, it)) * 32767);
  const bytes = new Uint8Array(words.buffer);
  let text = "";
  for (let at = 0; at < bytes.length; at += 8192) {
    text += String.fromCharCode(...bytes.subarray(at, at + 8192));
  }
  return btoa(text);
}
