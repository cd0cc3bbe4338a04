export interface Item {
  name: string;
}

export interface Store<T> {
  find(id: string): T | undefined;
  save(item: T): void;
}

export class MemoryStore implements Store<Item> { //: implements Store
  private items: Map<string, Item> = new Map(); //: references Item

  find(id: string): Item | undefined {
    return this.items.get(id);
  }

  save(item: Item): void {
    this.items.set(item.name, item); //: references MemoryStore.items, Item.name
  }
}

export function open(): Store<Item> {
  return new MemoryStore(); //: calls MemoryStore
}
