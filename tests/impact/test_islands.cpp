#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "impact/islands.h"

namespace carom {
namespace {

using testing::ElementsAre;

std::vector<int> contacts_of(const Islands& islands, int island) {
  return {islands.contacts(island), islands.contacts(island) + islands.size(island)};
}

TEST(Islands, AreNumberedByTheirFirstContact) {
  // Contacts 0: 5–6, 1: 1–2, 2: none, 3: 2–3, 4: 4 alone, 5: 6–7.
  const std::vector<int> body = {5, 1, -1, 2, 4, 6};
  Islands islands;
  for (int again = 0; again < 2; ++again) {
    islands.start(8);
    islands.join(5, 6);
    islands.join(1, 2);
    islands.join(2, 3);
    islands.join(6, 7);
    islands.sort_contacts(6, [&](int c) { return body[c]; });
    ASSERT_EQ(islands.count(), 3);
    EXPECT_EQ(islands.contact_count(), 5);
    EXPECT_THAT(contacts_of(islands, 0), ElementsAre(0, 5));
    EXPECT_THAT(contacts_of(islands, 1), ElementsAre(1, 3));
    EXPECT_THAT(contacts_of(islands, 2), ElementsAre(4));
  }
}

TEST(Islands, AreNoneWithoutContacts) {
  Islands islands;
  EXPECT_EQ(islands.count(), 0);
  islands.start(3);
  islands.sort_contacts(0, [](int) { return 0; });
  EXPECT_EQ(islands.count(), 0);
}

}  // namespace
}  // namespace carom
