class SpecBase
  def mock
  end
end

class FirstTest < SpecBase
  def self.tests(name)
  end

  tests "x" #: calls FirstTest.tests
  it "mocks" do
    mock #: calls SpecBase.mock
  end

  before do
    mock #: calls SpecBase.mock
  end
end

describe "second" do
  def mock
  end

  it "is its own" do
    mock #: calls mock
  end
end
