! Promise: a program in Fortran runs Tsubu's programs by their names on communicators of its own, ten times, and its own
! MPI before, between and after them.
program from_fortran
  use, intrinsic :: iso_c_binding
  implicit none
  include 'mpif.h'
  interface
    integer(c_int) function tsubu_run_named(communicator, program, words, everywhere) bind(c)
      import :: c_char, c_int
      integer(c_int), value :: communicator, everywhere
      character(kind=c_char), intent(in) :: program(*), words(*)
    end function
    subroutine hand_over(values, n, sum) bind(c)
      import :: c_double, c_int, c_ptr
      type(c_ptr), value :: values, sum
      integer(c_int), value :: n
    end subroutine
  end interface
  integer :: communicators(3), rank, ranks, i, error, code

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  communicators(1) = MPI_COMM_WORLD
  call MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, communicators(2), error)
  communicators(3) = MPI_COMM_SELF
  do i = 1, 10
    call add_up_on(communicators(1 + mod(i, 3)), i)
  end do
  code = tsubu_run_named(communicators(2), "returns_its_pe" // c_null_char, c_null_char, 1)
  call holds(code == ranks - 1)
  code = tsubu_run_named(MPI_COMM_WORLD, "nobody" // c_null_char, c_null_char, 1)
  call holds(code == 2)
  call MPI_Comm_free(communicators(2), error)
  call MPI_Finalize(error)
  if (rank == 0) print '(a)', 'the program and its jobs have ended well'

contains

  subroutine add_up_on(comm, times)
    integer, intent(in) :: comm, times
    real(c_double), target :: values(1000), sum
    real(c_double) :: here, expected
    integer :: i, rank_here, error, code
    call MPI_Comm_rank(comm, rank_here, error)
    values = [(real(rank_here + times * i, c_double), i = 1, 1000)]
    here = 0
    do i = 1, 1000
      here = here + values(i)
    end do
    call MPI_Allreduce(here, expected, 1, MPI_DOUBLE_PRECISION, MPI_SUM, comm, error)
    call hand_over(c_loc(values), 1000, c_loc(sum))
    code = tsubu_run_named(comm, "adds_up" // c_null_char, "2" // c_null_char, 1)
    call holds(code == 0 .and. abs(sum - 2 * expected) < 0.5)
  end subroutine

  subroutine holds(what)
    logical, intent(in) :: what
    integer :: error
    if (what) return
    print '(a)', 'from_fortran: something does not hold'
    call MPI_Abort(MPI_COMM_WORLD, 3, error)
  end subroutine
end program
