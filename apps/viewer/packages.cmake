# Fills node_modules as package-lock.json says, unless it is so already: cmake -D NPM_PROGRAM=npm -P packages.cmake
# A second build that comes here at the same time waits, and then finds the work done.
cmake_minimum_required(VERSION 3.25)
set(folder ${CMAKE_CURRENT_LIST_DIR})
file(LOCK ${folder}/node_modules.lock TIMEOUT 600)
set(mark ${folder}/node_modules/.filled-from)
file(SHA256 ${folder}/package-lock.json wanted)
if(EXISTS ${mark})
  file(READ ${mark} present)
  if(present STREQUAL wanted)
    return()
  endif()
endif()
execute_process(COMMAND ${NPM_PROGRAM} ci --no-audit --no-fund --loglevel=error WORKING_DIRECTORY ${folder}
                COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${mark} ${wanted})
