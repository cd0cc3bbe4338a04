import { open, MemoryStore, type Item, type Store } from './store';

class Service {
  constructor(private readonly store: Store<Item>, private names: string[] = []) {}

  run(): this {
    this.store.save({ name: 'x' }); //: calls store.ts::Store.save, store.ts::MemoryStore.save
    return this;
  }

  load(id: string) {
    return this.store.find(id); //: calls store.ts::Store.find, store.ts::MemoryStore.find
  }
}

export function typed(store: MemoryStore, other: MemoryStore | null, many: MemoryStore[]) {
  store.find('a'); //: calls store.ts::MemoryStore.find
  other?.find('a'); //: calls store.ts::MemoryStore.find
  many[0]!.find('a'); //: calls store.ts::MemoryStore.find
  many.forEach((each) => each.find('a')); //: calls store.ts::MemoryStore.find
}

export async function promised(later: Promise<MemoryStore>, lookup: Record<string, MemoryStore>) {
  (await later).find('a'); //: calls store.ts::MemoryStore.find
  lookup['x'].find('a'); //: calls store.ts::MemoryStore.find
  const cast = JSON.parse('{}') as MemoryStore;
  cast.find('a'); //: calls store.ts::MemoryStore.find
}

function operate(initial: (store: MemoryStore, service: Service) => void) {
  initial(new MemoryStore(), new Service(open()));
}
operate((store, service) => {
  store.find('a'); //: calls store.ts::MemoryStore.find
  service.load('a'); //: calls Service.load
});

type Handler = (item: Item) => void;
type Both = Service & { extra(): void };

function each(handler: Handler) {
  handler({ name: 'x' }); //: calls print
}
function print(item: Item) {}
each(print); //: calls each, print

export function both(value: Both) {
  value.run(); //: calls Service.run
  value.extra(); //: calls Both.extra
}

export function constrained<T extends Service>(value: T): T {
  value.run().load('x'); //: calls Service.run, Service.load
  return value;
}

new Service(open()).run(); //: calls Service, Service.constructor, store.ts::open, Service.run

abstract class Shape {
  abstract area(): number;

  describe() {
    return this.area(); //: calls Shape.area, Circle.area
  }
}

class Circle extends Shape {
  area(): number {
    return 1;
  }
}
