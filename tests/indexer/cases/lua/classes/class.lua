local Animal = {}
Animal.__index = Animal

function Animal.new(name)
  local self = setmetatable({}, Animal)
  self.name = name
  return self
end

function Animal:speak()
  self:breathe() --#: calls Animal.breathe
end

function Animal:breathe() end

local Dog = setmetatable({}, { __index = Animal })

function Dog:bark()
  self:speak() --#: calls Animal.speak
end

local a = Animal.new("x") --#: calls Animal.new
a:speak() --#: calls Animal.speak
Dog:bark() --#: calls Dog.bark
Dog:breathe() --#: calls Animal.breathe

local Service = {}
Service.__index = Service

function Service.new(animal)
  local self = setmetatable({}, Service)
  self.animal = animal
  return self
end

function Service:run()
  self.animal:speak() --#: calls Animal.speak
end

Service.new(Animal.new("y")):run() --#: calls Animal.new, Service.new, Service.run
