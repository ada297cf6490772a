/* Reads one token of a line into `buffer`; returns where the line goes on. */
#define SIZE 8

char buffer[SIZE];

static int is_mark(char c) {
    return c == '(' || c == ')' || c == ';';
}

int get_token(const char *line, int start) {
    int i = start, n = 0, quoted = 0;
    buffer[0] = 0;
    buffer[1] = 0;
    char c = line[i];
    if (is_mark(c)) {
        buffer[0] = c;
        buffer[1] = 0;
        return i + 1;
    }
    if (c == '"')
        quoted = 1;
    buffer[n] = c;
    n = n + 1;
    i = i + 1;
    c = line[i];
    if (quoted && c != 0) {
        buffer[n] = c;
        n = n + 1;
        i = i + 1;
    }
    return i;
}
