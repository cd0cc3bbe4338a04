use Foo::Child; #: imports lib/Foo/Child.pm

sub start {
    my $child = Foo::Child->new(a => 1); #: calls lib/Foo/Base.pm::Foo::Base.new
    $child->init; #: calls lib/Foo/Child.pm::Foo::Child.init
}

start(); #: calls start

my $code = \&Foo::Tools::trim;
$code->("x"); #: calls lib/Foo/Tools.pm::Foo::Tools.trim
foreach my $each (Foo::Child->new, 1) { #: calls lib/Foo/Base.pm::Foo::Base.new
    $each->init; #: calls lib/Foo/Child.pm::Foo::Child.init
}
