module store
  use checks, only: valid, test => check !: imports checks.f90
  use iso_c_binding
  implicit none
  type, extends(record) :: user
    integer :: id
    type(team) :: t
  contains
    procedure :: greet => user_greet
    procedure :: save
  end type user
contains
  subroutine user_greet(self, n)
    class(user), intent(inout) :: self
    integer, intent(in) :: n
    call Self%Save(n) !: calls store.save
    call Helper(n) !: calls store.helper
    if (valid(n)) then !: calls checks.f90::checks.valid
      x = total(n) + test(n) !: calls store.total, checks.f90::checks.check
    end if
  end subroutine user_greet
  subroutine save(self, n)
    class(user) :: self
    integer :: n
  end subroutine
  subroutine helper(n)
  end subroutine
  function total(n) result(r)
    integer :: n, r
    r = abs(n)
  end function
end module
