program main
  use store !: imports store.f90
  type(user) :: u
  call u%greet(1) !: calls store.f90::store.user_greet
  call helper(2) !: calls store.f90::store.helper
end program
