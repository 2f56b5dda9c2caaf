! Procedures of a module, of a submodule, bound to a type, and inside of the program. Prints how often it called each.
module shapes
  implicit none
  type :: square
    integer :: side
  contains
    procedure :: area => square_area
  end type
  integer :: area_calls = 0, fibonacci_calls = 0, half_calls = 0
  interface
    module integer function half(n)
      integer, intent(in) :: n
    end function
  end interface
contains
  integer function square_area(this)
    class(square), intent(in) :: this
    area_calls = area_calls + 1
    square_area = this%side * this%side
  end function
  recursive integer function fibonacci(n) result(sum)
    integer, intent(in) :: n
    fibonacci_calls = fibonacci_calls + 1
    sum = n
    if (n > 1) sum = fibonacci(n - 1) + fibonacci(n - 2)
  end function
end module

submodule (shapes) halves
contains
  module integer function half(n)
    integer, intent(in) :: n
    half_calls = half_calls + 1
    half = n / 2
  end function
end submodule

program app
  use shapes
  implicit none
  type(square) :: one
  integer :: i, total
  total = 0
  do i = 1, 1000
    one%side = i
    total = total + half(one%area())
  end do
  total = total + fibonacci(15)
  print '(a,i0)', 'total ', total
  print '(a,i0)', 'count shapes::square_area ', area_calls
  print '(a,i0)', 'count shapes::half ', half_calls
  print '(a,i0)', 'count shapes::fibonacci ', fibonacci_calls
  print '(a)', 'count MAIN__ 1'
end program
