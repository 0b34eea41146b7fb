# What is installed beside programs and library (manual pages, completions, examples, documentation), and Debian packages
# of all of it by CPack: knoten, and knoten-mpi, so that nobody needs MPI who does not want it.

# Manual pages and completions are printed by the program that they are about.
function(knoten_texts)
  include(GNUInstallDirs)
  set(texts ${CMAKE_BINARY_DIR}/texts)
  add_custom_command(OUTPUT ${texts}/done
    COMMAND sh ${PROJECT_SOURCE_DIR}/scripts/texts $<TARGET_FILE:knoten> ${PROJECT_SOURCE_DIR} ${texts}
    COMMAND ${CMAKE_COMMAND} -E touch ${texts}/done
    DEPENDS knoten ${PROJECT_SOURCE_DIR}/scripts/texts ${PROJECT_SOURCE_DIR}/CHANGELOG.md ${PROJECT_SOURCE_DIR}/LICENSE
    VERBATIM)
  add_custom_target(texts ALL DEPENDS ${texts}/done)
  set(zsh zsh/site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL "/usr" AND EXISTS /etc/debian_version)
    set(zsh zsh/vendor-completions)
  endif()
  install(DIRECTORY ${texts}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
  install(FILES ${texts}/bash/knoten DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${texts}/zsh/_knoten DESTINATION ${CMAKE_INSTALL_DATADIR}/${zsh})
  install(FILES ${texts}/doc/copyright ${texts}/doc/changelog.gz DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples/ DESTINATION ${CMAKE_INSTALL_DATADIR}/knoten/examples)
  if(TARGET knoten-mpi)
    install(FILES ${texts}/doc/copyright ${texts}/doc/changelog.gz DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/knoten-mpi
            COMPONENT mpi)
    install(FILES ${texts}/mpi/knoten-mpi.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT mpi)
  endif()
endfunction()

# The Python package, where Debian's Python finds it; from the sources pip installs it.
function(knoten_python)
  include(GNUInstallDirs)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/python/knoten DESTINATION lib/python3/dist-packages COMPONENT python
          PATTERN __pycache__ EXCLUDE)
  install(FILES ${CMAKE_BINARY_DIR}/texts/doc/copyright ${CMAKE_BINARY_DIR}/texts/doc/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/python3-knoten COMPONENT python)
endfunction()

# cpack in the build folder; scripts/package builds for it.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME knoten)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(KNOTEN_MAINTAINER "The knoten maintainers <knoten@example.org>" CACHE STRING "who answers for the packages")
set(CPACK_PACKAGE_CONTACT "${KNOTEN_MAINTAINER}")
set(CPACK_PACKAGE_VENDOR knoten)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "circuit simulator that treats circuits as DAEs")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ
    WORLD_EXECUTE)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL knoten python)
if(MPI_C_FOUND)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
endif()
set(CPACK_COMPONENTS_GROUPING ONE_PER_GROUP)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION electronics)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# The cache of the loader is renewed by dpkg's trigger; shlibs says who has the library (deb-triggers(5), deb-shlibs(5)).
file(WRITE ${CMAKE_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
file(WRITE ${CMAKE_BINARY_DIR}/debian/shlibs "libknoten 0 knoten (>= ${PROJECT_VERSION})\n")
set(CPACK_DEBIAN_KNOTEN_PACKAGE_CONTROL_EXTRA ${CMAKE_BINARY_DIR}/debian/triggers ${CMAKE_BINARY_DIR}/debian/shlibs)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
set(CPACK_DEBIAN_KNOTEN_PACKAGE_NAME knoten)
set(CPACK_DEBIAN_KNOTEN_DESCRIPTION "A SPICE netlist goes in, waveforms come out. knoten says which index the
equations of a circuit have and why, controls the error of what it prints,
compares integration methods, and names the elements that make a circuit
ill-posed. It reads decks of ngspice, LTspice, PSpice, HSPICE, Xyce and KiCad.
The package has the program, the library with its header, manual pages,
completions for bash and zsh, examples and the documentation.")
set(CPACK_DEBIAN_KNOTEN_PACKAGE_RECOMMENDS "libedit2")
set(CPACK_DEBIAN_KNOTEN_PACKAGE_SUGGESTS "gnuplot-nox, graphviz, knoten-mpi")
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-knoten)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS "knoten (= ${PROJECT_VERSION}), python3 (>= 3.9), python3-numpy")
set(CPACK_DEBIAN_PYTHON_PACKAGE_SUGGESTS "python3-pandas, python3-matplotlib")
set(CPACK_DEBIAN_PYTHON_DESCRIPTION "The package knoten of Python: circuits, analyses, sweeps and co-simulation with
results as NumPy arrays, raw files read and written, pictures in notebooks.")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME knoten-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "knoten (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_MPI_DESCRIPTION "The program behind knoten --mpi: it hands the runs of sweeps and Monte Carlo
analyses out to all ranks of MPI, on several machines.")
