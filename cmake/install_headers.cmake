# When installing: the public headers (headers, below from), and those that they include, into the folder to; and into the
# folder doc a list of the public ones with what each says of itself at its top.
cmake_policy(VERSION 3.23)
set(todo ${headers})
set(found)
while(todo)
  list(POP_FRONT todo header)
  if(NOT header IN_LIST found)
    list(APPEND found ${header})
    file(STRINGS ${from}/${header} lines REGEX "^#include [<\"]limber/")
    foreach(line ${lines})
      string(REGEX REPLACE "^#include [<\"]limber/([^>\"]+)[>\"].*" "\\1" included "${line}")
      list(APPEND todo ${included})
    endforeach()
  endif()
endwhile()
foreach(header ${found})
  get_filename_component(folder ${header} DIRECTORY)
  file(INSTALL DESTINATION ${CMAKE_INSTALL_PREFIX}/${to}/${folder} TYPE FILE FILES ${from}/${header})
endforeach()

set(text "# Headers of limber

The interface is `<limber.h>` for C, `<limber/version.h>`, and for C++ the headers below; begin with `world/world.h` and
`model/model_file.h`. Others that are installed are included by these: a compiler needs them, and they may change with any version.
What they say of docs/ is beside this list.

| header | what |
|---|---|
")
foreach(header ${headers})
  file(READ ${from}/${header} source)
  # The first comment after the licence, up to its first code or formula.
  if(NOT source MATCHES "^// SPDX[^\n]*\n((// [^ \n][^\n]*\n)+)")
    message(FATAL_ERROR "${header} does not say at its top what it is")
  endif()
  string(REGEX REPLACE "(^|\n)// " " " said "${CMAKE_MATCH_1}")
  string(REPLACE "|" "\\|" said "${said}")
  string(STRIP "${said}" said)
  string(APPEND text "| `<limber/${header}>` | ${said} |\n")
endforeach()
set(list $ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}/${doc}/headers.md)
file(WRITE ${list} "${text}")
list(APPEND CMAKE_INSTALL_MANIFEST_FILES ${CMAKE_INSTALL_PREFIX}/${doc}/headers.md)
