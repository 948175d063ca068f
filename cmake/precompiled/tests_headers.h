#pragma once

// What the tests include of the libraries.
#include "library_headers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
