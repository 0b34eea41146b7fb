# The device of docs/tutorial-device.md and the analysis of docs/tutorial-analysis.md, taken from these pages: their files,
# and devices/families.h and analyses/list.h with one more line.
set(tutorial_page ${PROJECT_SOURCE_DIR}/docs/tutorial-device.md)
set(tutorial ${CMAKE_BINARY_DIR}/tutorial)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${tutorial_page} ${PROJECT_SOURCE_DIR}/devices/families.h
             ${PROJECT_SOURCE_DIR}/docs/tutorial-analysis.md ${PROJECT_SOURCE_DIR}/analyses/list.h)

# tutorial_block(first_line result): the text of the block of the page that begins so.
function(tutorial_block first_line result)
  file(READ ${tutorial_page} page)
  string(FIND "${page}" "```${first_line}" begin)
  string(SUBSTRING "${page}" ${begin} -1 rest)
  string(FIND "${rest}" "\n" head)
  math(EXPR head "${head} + 1")
  string(SUBSTRING "${rest}" ${head} -1 rest)
  string(FIND "${rest}" "```" end)
  string(SUBSTRING "${rest}" 0 ${end} block)
  set(${result} "${block}" PARENT_SCOPE)
endfunction()

# Written only when it changes, so that nothing is compiled in vain.
function(tutorial_write path text)
  file(CONFIGURE OUTPUT ${path} CONTENT "${text}" @ONLY)
endfunction()

# tutorial_list(header before): the header of the source with the line of the page behind the one that has `before`.
function(tutorial_list header before)
  file(READ ${PROJECT_SOURCE_DIR}/${header} list)
  string(REGEX MATCH "\n    ${before}[^\n]*\n" before "${list}")
  string(REPLACE "${before}" "${before}${line}" list "${list}")
  tutorial_write(${tutorial}/${header} "${list}")
endfunction()

tutorial_block("c\n/* tunnel_diode.c" source)
tutorial_block("\n    FAMILY(" line)
tutorial_block("spice" deck)
tutorial_write(${tutorial}/devices/semiconductor/tunnel_diode.c "${source}")
tutorial_write(${tutorial}/tunnel.cir "${deck}")
tutorial_list(devices/families.h "FAMILY\\(diode\\)")

# The program with it: what knows the list of families is compiled again, all else is as it is.
add_executable(knoten_of_tutorial $<TARGET_OBJECTS:knoten> $<TARGET_OBJECTS:cli_objects> ${PROJECT_SOURCE_DIR}/devices/registry.c
               ${tutorial}/devices/semiconductor/tunnel_diode.c)
target_include_directories(knoten_of_tutorial BEFORE PRIVATE ${tutorial} ${PROJECT_SOURCE_DIR})
target_link_libraries(knoten_of_tutorial PRIVATE libknoten_static LibEdit::LibEdit Threads::Threads)
target_include_directories(tests_devices PRIVATE ${tutorial})

set(tutorial_page ${PROJECT_SOURCE_DIR}/docs/tutorial-analysis.md)
tutorial_block("c\n/* power.c" source)
tutorial_block("\n    ANALYSIS(" line)
tutorial_block("spice" deck)
tutorial_write(${tutorial}/analyses/power.c "${source}")
tutorial_write(${tutorial}/power.cir "${deck}")
tutorial_list(analyses/list.h "ANALYSIS\\(operating\\)")
add_executable(knoten_with_power $<TARGET_OBJECTS:knoten> $<TARGET_OBJECTS:cli_objects> ${PROJECT_SOURCE_DIR}/analyses/analyses.c
               ${tutorial}/analyses/power.c)
target_include_directories(knoten_with_power BEFORE PRIVATE ${tutorial} ${PROJECT_SOURCE_DIR})
target_link_libraries(knoten_with_power PRIVATE libknoten_static LibEdit::LibEdit Threads::Threads)
