package Foo::Child;
use parent 'Foo::Base';
use Foo::Tools qw(trim); #: imports lib/Foo/Tools.pm

sub init {
    my $self = shift;
    $self->SUPER::init(); #: calls lib/Foo/Base.pm::Foo::Base.init
    $self->{tools} = Foo::Tools->new; #: calls lib/Foo/Tools.pm::Foo::Tools.new
    $self->{tools}->run; #: calls lib/Foo/Tools.pm::Foo::Tools.run
    $self->helper(1); #: calls lib/Foo/Base.pm::Foo::Base.helper
    trim("x"); #: calls lib/Foo/Tools.pm::Foo::Tools.trim
    Foo::Tools::trim("y"); #: calls lib/Foo/Tools.pm::Foo::Tools.trim
    local_one(2); #: calls Foo::Child.local_one
}

sub local_one {}

1;
