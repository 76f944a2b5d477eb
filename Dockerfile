FROM golang:1.26.8-alpine@sha256:ce864e7223ac17b1775e6fd0b4c0db580c2eb50e7953a427916379e4b92a1628 AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION
RUN CGO_ENABLED=0 go build -trimpath -buildvcs=false -ldflags "-s -w -X github.com/failproof/failproof/internal/version.linked=${VERSION}" -o /failproof .

# MODEL is the embedding model that the image holds, such as potion-base-8M; none keeps it small, and answers are then compared
# by their words. The program knows the SHA-256 of what it fetches and refuses anything else.
ARG MODEL=none
RUN mkdir /models && if [ "$MODEL" != none ]; then /failproof model pull "$MODEL" --dir /models; fi

# Nothing but the program, which knows the authorities that sign GitHub's and the providers' certificates. It runs as root, because
# the runner's files for outputs and summary cannot be written by anybody else.
FROM scratch
ARG VERSION=dev
LABEL org.opencontainers.image.title="failproof" \
      org.opencontainers.image.description="A gate for prompt changes" \
      org.opencontainers.image.source="https://github.com/failproof/failproof" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}"
COPY --from=build /models /usr/share/failproof/models
COPY --from=build /failproof /failproof
ENTRYPOINT ["/failproof"]
# Without arguments it is the action: a gate that printed its help would look like one that passed.
CMD ["action"]
