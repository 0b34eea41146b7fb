# Finds what knoten is built on and says which Debian package brings what is missing.

include(FindPackageHandleStandardArgs)

function(knoten_missing what package)
  message(FATAL_ERROR "${what} not found. On Debian: apt install ${package}")
endfunction()

# An imported target of a header and its library; the rest are the Debian package, the name of both in messages, and
# folders of the header.
function(knoten_library target header library package what)
  string(MAKE_C_IDENTIFIER "KNOTEN_${library}" variable)
  find_path(${variable}_INCLUDE_DIR ${header} PATH_SUFFIXES ${ARGN})
  find_library(${variable}_LIBRARY ${library})
  if(NOT ${variable}_INCLUDE_DIR OR NOT ${variable}_LIBRARY)
    knoten_missing("${what}" ${package})
  endif()
  add_library(${target} INTERFACE IMPORTED)
  target_include_directories(${target} INTERFACE ${${variable}_INCLUDE_DIR})
  target_link_libraries(${target} INTERFACE ${${variable}_LIBRARY})
endfunction()

find_library(M_LIBRARY m)
set(THREADS_PREFER_PTHREAD_FLAG ON)
find_package(Threads REQUIRED)

# SuiteSparse of Debian 12 has neither CMake nor pkg-config files.
knoten_library(KLU::KLU klu.h klu libsuitesparse-dev "SuiteSparse KLU (klu.h, libklu)" suitesparse)
foreach(part amd colamd btf suitesparseconfig)
  find_library(KLU_${part}_LIBRARY ${part})
  if(KLU_${part}_LIBRARY)
    target_link_libraries(KLU::KLU INTERFACE ${KLU_${part}_LIBRARY})
  endif()
endforeach()

find_package(LAPACK QUIET)
# Debian has lapack.h beside LAPACKE, which is not linked.
knoten_library(Lapack::Lapack lapack.h lapack liblapacke-dev "LAPACK (lapack.h, liblapack)" lapacke)
target_link_libraries(Lapack::Lapack INTERFACE ${LAPACK_LIBRARIES})

# knoten_optional(<target> <what the program asks for> <library> <header> <what is missing without it> <package> [<folder of the header>..])
function(knoten_optional target macro library header without package)
  add_library(${target} INTERFACE IMPORTED)
  find_path(KNOTEN_${library}_INCLUDE_DIR ${header} PATH_SUFFIXES ${ARGN})
  find_library(KNOTEN_${library}_LIBRARY ${library})
  if(KNOTEN_${library}_INCLUDE_DIR AND KNOTEN_${library}_LIBRARY)
    target_include_directories(${target} SYSTEM INTERFACE ${KNOTEN_${library}_INCLUDE_DIR})
    target_link_libraries(${target} INTERFACE ${KNOTEN_${library}_LIBRARY})
    target_compile_definitions(${target} INTERFACE ${macro})
  else()
    message(STATUS "${library} not found: ${without}. On Debian: apt install ${package}")
  endif()
endfunction()

knoten_optional(ARPACK::ARPACK KNOTEN_ARPACK arpack arpack.h ".pz of large circuits is left out" libarpack2-dev arpack arpack-ng)
# In the order in which the loader asks them for each of 1,900 names at every start: LAPACK, whose own most are, comes first.
set(KNOTEN_MATRICES Lapack::Lapack ARPACK::ARPACK KLU::KLU)
knoten_optional(LibEdit::LibEdit KNOTEN_LIBEDIT edit histedit.h "knoten -i reads lines without editing" libedit-dev)
# Loaded by the name that programs have for it, libedit.so.2, where lines are edited.
if(KNOTEN_edit_INCLUDE_DIR AND KNOTEN_edit_LIBRARY)
  file(REAL_PATH ${KNOTEN_edit_LIBRARY} library)
  string(REGEX MATCH "libedit\\.so\\.[0-9]+" KNOTEN_LIBEDIT ${library})
  set_target_properties(LibEdit::LibEdit PROPERTIES INTERFACE_LINK_LIBRARIES "${CMAKE_DL_LIBS}"
                        INTERFACE_COMPILE_DEFINITIONS "KNOTEN_LIBEDIT=\"${KNOTEN_LIBEDIT}\"")
endif()

# For knoten-mpi only, which is not built without it.
option(KNOTEN_MPI "Build knoten-mpi, sweeps on several machines, where MPI is installed" ON)
if(KNOTEN_MPI)
  find_package(MPI QUIET COMPONENTS C)
  if(NOT MPI_C_FOUND)
    message(STATUS "MPI not found: knoten --mpi is left out. On Debian: apt install libopenmpi-dev openmpi-bin")
  endif()
endif()

find_program(FLEX_PROGRAM flex)
if(NOT FLEX_PROGRAM)
  knoten_missing("flex" flex)
endif()
find_program(BISON_PROGRAM bison)
if(NOT BISON_PROGRAM)
  knoten_missing("bison" bison)
endif()

if(KNOTEN_TESTS)
  knoten_library(CUnit::CUnit CUnit/Basic.h cunit libcunit1-dev
                 "CUnit (CUnit/Basic.h, libcunit; needed by the tests, or configure with -DKNOTEN_TESTS=OFF)")
endif()
