package droidtest.app;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What another app shows when it is started for a result; Cancel is always there and not among the answers. */
final class Question {
  final String title;
  /** Whether its page covers the screen, so that the app behind is stopped; a dialog leaves it paused. */
  final boolean covers;
  final List<Answer> answers;

  private Question(String title, boolean covers, List<Answer> answers) {
    this.title = title;
    this.covers = covers;
    this.answers = answers;
  }

  static Question page(String title, List<Answer> answers) {
    return new Question(title, true, answers);
  }

  static Question page(String title, Answer... answers) {
    return new Question(title, true, new ArrayList<>(Arrays.asList(answers)));
  }

  static Question dialog(String title, Answer... answers) {
    return new Question(title, false, new ArrayList<>(Arrays.asList(answers)));
  }
}
