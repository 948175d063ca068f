cmake_minimum_required(VERSION 3.25)

set(prefix ${folder}/prefix)
file(REMOVE_RECURSE ${folder})
file(MAKE_DIRECTORY ${folder})

function(must)
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${folder} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}\nended with ${status}:\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

must(${CMAKE_COMMAND} --install ${build} --prefix ${prefix})

# Everything that was promised is there.
foreach(file include/carom/carom.h ${data}/carom/schema/model.schema.json ${data}/carom/cases/README.md
        ${data}/carom/examples/slider_crank.toml ${data}/carom/examples/readers/carom_results.py ${programs}/carom
        ${data}/man/man1/carom-run.1 ${data}/bash-completion/completions/carom ${data}/zsh/site-functions/_carom
        ${data}/fish/vendor_completions.d/carom.fish)
  if(NOT EXISTS ${prefix}/${file})
    message(FATAL_ERROR "not installed: ${file}")
  endif()
endforeach()

# An outside project that knows the package and nothing else. The folder has been moved, as a package would be.
file(RENAME ${prefix} ${folder}/moved)
must(${CMAKE_COMMAND} -S ${source} -B ${folder}/outside -D CMAKE_PREFIX_PATH=${folder}/moved -D example=${example}
     -D CMAKE_CXX_COMPILER=${compiler} -D sanitize=${sanitize})
must(${CMAKE_COMMAND} --build ${folder}/outside)
must(${folder}/outside/app)
if(NOT output MATCHES " 2.00 s")
  message(FATAL_ERROR "unexpected output of the example:\n${output}")
endif()
if(NOT EXISTS ${folder}/pendulum.h5)
  message(FATAL_ERROR "the example wrote no result")
endif()

# The installed program reads what the library wrote.
must(${folder}/moved/${programs}/carom info pendulum.h5)
if(NOT output MATCHES "complete")
  message(FATAL_ERROR "unexpected output of carom info:\n${output}")
endif()
must(${folder}/moved/${programs}/carom run ${folder}/moved/${data}/carom/examples/slider_crank.toml)

# The Python package, where it was built.
if(python)
  must(${CMAKE_COMMAND} -E env PYTHONPATH=${folder}/moved/${python_folder} PYTHONDONTWRITEBYTECODE=1
       ${python} -c "print(len(__import__('carom').load('${folder}/moved/${data}/carom/examples/slider_crank.toml').run()))")
  if(NOT output MATCHES "361")
    message(FATAL_ERROR "unexpected output of the Python package:\n${output}")
  endif()
endif()

# A plug-in of the examples, built against the installed headers.
set(plugin ${folder}/moved/${data}/carom/examples/plugin)
must(${CMAKE_COMMAND} -S ${plugin} -B ${folder}/plugin -D CMAKE_PREFIX_PATH=${folder}/moved -D CMAKE_CXX_COMPILER=${compiler})
must(${CMAKE_COMMAND} --build ${folder}/plugin)
must(${folder}/moved/${programs}/carom run ${plugin}/machine.toml --plugin ${folder}/plugin/libmy_parts.so)
