package Foo::Base;

sub new {
    my ($class, %args) = @_;
    my $self = { name => 1 };
    bless $self, $class;
    $self->init; #: calls Foo::Base.init
    return $self;
}

sub init {}
sub helper {}

1;
