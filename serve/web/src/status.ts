// The statuses of all nodes beside the picture: a tick redraws only the boxes whose status changed.
import {useSyncExternalStore} from "react";

export class Statuses {
  private letters = "";
  private details: Record<string, string> = {};
  private listeners = new Set<() => void>();
  private found = new Set<number>();
  private wrong = new Map<string, string>();
  private chosen = "";
  searching = false;

  set(letters: string, details: Record<string, string>) {
    this.letters = letters;
    this.details = details;
    this.tell();
  }
  find(found: Set<number>, searching: boolean) {
    this.found = found;
    this.searching = searching;
    this.tell();
  }
  choose(id: string) {
    this.chosen = id;
    this.tell();
  }
  problems(wrong: Map<string, string>) {
    this.wrong = wrong;
    this.tell();
  }
  // All that a box shows of its node, as one text, which React compares.
  of(number: number, id: string): string {
    const seen = this.searching ? (this.found.has(number) ? "hit" : "dim") : "";
    return [this.letters[number] || ".", seen, id === this.chosen ? "chosen" : "",
      this.details[number] || "", this.wrong.get(id) || ""].join("\0");
  }
  all = () => this.letters;
  listen = (call: () => void) => {
    this.listeners.add(call);
    return () => { this.listeners.delete(call); };
  };
  private tell() { this.listeners.forEach(call => call()); }
}

export function useStatus(store: Statuses, number: number, id: string): string[] {
  return useSyncExternalStore(store.listen, () => store.of(number, id)).split("\0");
}
export function useLetters(store: Statuses): string {
  return useSyncExternalStore(store.listen, store.all);
}
