class Item:
    def use(self):
        pass


class Other:
    def use(self):
        pass


def by_position():
    pair = (Item(), Other())
    first, second = pair
    first.use()  #: calls Item.use
    second.use()  #: calls Other.use
    pair[1].use()  #: calls Other.use


def by_key():
    table = {"item": Item(), "other": Other()}
    table["other"].use()  #: calls Other.use
    for value in table.values():
        value.use()  #: calls Item.use, Other.use


def grown():
    items = []
    items.append(Item())
    for item in items:
        item.use()  #: calls Item.use
    [each.use() for each in items]  #: calls Item.use


def made():
    yield Item()


for thing in made():  #: calls made
    thing.use()  #: calls Item.use


class Bag:
    def __iter__(self):
        return self

    def __next__(self):
        return Item()

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass


for thing in Bag():  #: calls Bag, Bag.__iter__, Bag.__next__
    thing.use()  #: calls Item.use

with Bag() as bag:
    pass

list(map(lambda item: item.use(), [Item()]))  #: calls <lambda1>, Item.use, Item
