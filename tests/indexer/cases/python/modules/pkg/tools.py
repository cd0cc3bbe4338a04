class Wrench:
    def turn(self):
        pass
