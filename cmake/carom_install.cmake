# What `cmake --install` lays down: the library with its headers and package files, and the data under share/carom.
# The program installs itself with its manual and the completion of shells (apps/carom), the Python package, too.
include(CMakePackageConfigHelpers)

set(package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/carom)
install(TARGETS carom_library EXPORT carom_targets
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/carom DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT carom_targets NAMESPACE carom:: FILE carom-targets.cmake DESTINATION ${package_folder})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/carom-config.cmake.in ${PROJECT_BINARY_DIR}/carom-config.cmake
  INSTALL_DESTINATION ${package_folder} PATH_VARS CMAKE_INSTALL_DATADIR)
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/carom-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/carom-config.cmake ${PROJECT_BINARY_DIR}/carom-config-version.cmake
  DESTINATION ${package_folder})

install(DIRECTORY ${PROJECT_SOURCE_DIR}/cases ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/carom
  PATTERN "*.h5" EXCLUDE PATTERN "__pycache__" EXCLUDE PATTERN "*.oct" EXCLUDE)
install(FILES ${PROJECT_SOURCE_DIR}/docs/schema/model.schema.json DESTINATION ${CMAKE_INSTALL_DATADIR}/carom/schema)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
