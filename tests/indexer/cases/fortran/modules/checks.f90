module checks
contains
  logical function valid(n)
    valid = check(n) > 0 !: calls checks.check
  end function
  integer function check(n)
    check = 1
  end function
end module
