package Foo::Tools;

sub new { my $class = shift; return bless {}, $class; }
sub run { my ($self) = @_; $self->run_twice; } #: calls Foo::Tools.run_twice
sub run_twice {}
sub trim {}

1;
