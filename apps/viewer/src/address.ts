// What the page shows, kept behind the # of its address, so that a reload and a link bring it back. Only what differs
// from the beginning is written there.
const pause = 250; // ms without a change until it is written

const encoded = (text: string): string => text.replace(/[%&#=+\s]/g, (c) => encodeURIComponent(c));
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // spoilt by hand
  }
}

export class Address {
  private values = new Map<string, string>();
  private timer = 0;

  constructor() {
    for (const word of location.hash.slice(1).split("&")) {
      const equals = word.indexOf("=");
      if (equals > 0) this.values.set(word.slice(0, equals), decoded(word.slice(equals + 1)));
    }
    // A link to another state of this page, or an edit of the address.
    window.addEventListener("hashchange", () => location.reload());
  }

  get(key: string): string | undefined {
    return this.values.get(key);
  }
  set(key: string, value: string | null): void {
    if (this.values.get(key) === (value ?? undefined)) return;
    if (value === null) this.values.delete(key);
    else this.values.set(key, value);
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.write(), pause);
  }
  write(): void {
    window.clearTimeout(this.timer);
    const words = [...this.values].map(([key, value]) => `${key}=${encoded(value)}`);
    history.replaceState(null, "", `${location.pathname}${location.search}${words.length > 0 ? "#" + words.join("&") : ""}`);
  }
}

// A list in one value; names may hold anything.
export const listText = (names: string[]): string => names.map((name) => name.replace(/[%,;]/g, (c) => encodeURIComponent(c))).join(",");
export const listOf = (text: string): string[] => text.split(",").filter(Boolean).map(decoded);
