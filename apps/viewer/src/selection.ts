// What the user has clicked: a group of quantities such as "body:rod", "joint:pin" or "beam:arm". Scene, list and plots
// listen and show it.
export class Selection {
  group: string | null = null;
  private listeners: (() => void)[] = [];

  onChange(listener: () => void): void {
    this.listeners.push(listener);
  }
  choose(group: string | null): void {
    if (group === this.group) return;
    this.group = group;
    for (const listener of this.listeners) listener();
  }
  // Whether a group of quantities, or a quantity "body:rod.x", belongs to what is chosen. Beams record by element.
  holds(name: string): boolean {
    const { group } = this;
    if (!group) return false;
    return name === group || name.startsWith(`${group}.`) || (group.startsWith("beam:") && name.startsWith(`${group}-`));
  }
}
